//! How a system holds a process and its children together: process groups on Unix, jobs on Windows.

#[cfg(unix)]
pub(super) use unix::Groups;
#[cfg(unix)]
pub use unix::forward;
#[cfg(windows)]
pub(super) use windows::Groups;
#[cfg(windows)]
pub use windows::forward;

#[cfg(unix)]
mod unix {
    use std::collections::BTreeSet;
    use std::io;

    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

    /// The process groups that are left.
    #[derive(Debug)]
    pub(crate) struct Groups(BTreeSet<u32>);

    impl Groups {
        pub(crate) const fn new() -> Self {
            Self(BTreeSet::new())
        }

        /// Starts a process in its own group: it can be killed with its children, and a Ctrl-C at the terminal reaches
        /// only us.
        pub(crate) fn start(
            &mut self,
            mut command: CommandWrap,
        ) -> io::Result<Box<dyn ChildWrapper>> {
            command.wrap(ProcessGroup::leader());
            let child = command.spawn()?;
            self.0.insert(child.id());
            Ok(child)
        }

        /// Kills a process and its children, but only once: later the number may belong to another process.
        pub(crate) fn kill(&mut self, id: u32) {
            if self.0.remove(&id) {
                kill_group(id);
            }
        }
    }

    impl Drop for Groups {
        fn drop(&mut self) {
            self.0.iter().copied().for_each(kill_group);
        }
    }

    fn kill_group(id: u32) {
        let Ok(id) = i32::try_from(id) else { return };
        // It is fine if the processes have already exited.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }

    /// Passes a signal that we got on to a process.
    pub fn forward(signal: i32, child: &mut dyn ChildWrapper) {
        let _ = child.signal(signal);
    }
}

#[cfg(windows)]
mod windows {
    use std::collections::BTreeMap;
    use std::io;
    use std::os::windows::io::AsRawHandle as _;
    use std::os::windows::process::CommandExt as _;

    use process_wrap::std::{ChildWrapper, CommandWrap};
    use win32job::{ExtendedLimitInfo, Job};

    /// `CREATE_NEW_PROCESS_GROUP`, which keeps the Ctrl-C of a console from a process.
    const NEW_PROCESS_GROUP: u32 = 0x200;

    /// A job for each process. When a job's handle is closed, the system kills its processes. Our end closes it too.
    #[derive(Debug)]
    pub(crate) struct Groups(BTreeMap<u32, Job>);

    impl Groups {
        pub(crate) const fn new() -> Self {
            Self(BTreeMap::new())
        }

        /// Starts a process in its own job: it can be killed with its children, and a Ctrl-C in the console reaches
        /// only us.
        pub(crate) fn start(
            &mut self,
            mut command: CommandWrap,
        ) -> io::Result<Box<dyn ChildWrapper>> {
            command.command_mut().creation_flags(NEW_PROCESS_GROUP);
            let mut limits = ExtendedLimitInfo::new();
            limits.limit_kill_on_job_close();
            let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
            let mut child = command.spawn()?;
            // The job holds its future children too. The process has hardly begun to load, so it has none yet.
            let handle = child.process_handle().map_or(0, |handle| handle.as_raw_handle() as isize);
            if let Err(error) = job.assign_process(handle) {
                let _ = child.kill();
                return Err(io::Error::other(error));
            }
            self.0.insert(child.id(), job);
            Ok(child)
        }

        /// Kills a process and its children, if that has not been done.
        pub(crate) fn kill(&mut self, id: u32) {
            self.0.remove(&id);
        }
    }

    /// Ends a process: there are no signals that could be passed on to it.
    pub fn forward(_signal: i32, child: &mut dyn ChildWrapper) {
        let _ = child.start_kill();
    }
}
