//! How a system holds a process and its children together: process groups on Unix, jobs on Windows.

#[cfg(unix)]
pub(super) use unix::Groups;
#[cfg(unix)]
pub use unix::{forward, leads_process_group};
#[cfg(windows)]
pub(super) use windows::Groups;
#[cfg(windows)]
pub use windows::{forward, leads_process_group};

#[cfg(unix)]
mod unix {
    use std::collections::BTreeSet;
    use std::io;

    use nix::sys::signal::{Signal, kill, killpg};
    use nix::unistd::Pid;
    use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

    /// The process groups that are left.
    #[derive(Debug)]
    pub(crate) struct Groups {
        leaders: BTreeSet<u32>,
        /// Whether the processes are in our own group instead.
        is_shared: bool,
    }

    impl Groups {
        pub(crate) const fn new() -> Self {
            Self { leaders: BTreeSet::new(), is_shared: false }
        }

        /// Keeps processes in our own group.
        pub(crate) const fn share(&mut self) {
            self.is_shared = true;
        }

        /// Starts a process in its own group: it can be killed with its children, and a Ctrl-C at the terminal reaches
        /// only us.
        pub(crate) fn start(
            &mut self,
            mut command: CommandWrap,
        ) -> io::Result<Box<dyn ChildWrapper>> {
            if !self.is_shared {
                command.wrap(ProcessGroup::leader());
            }
            let child = command.spawn()?;
            self.leaders.insert(child.id());
            Ok(child)
        }

        /// Kills a process and its children, but only once: later the number may belong to another process.
        pub(crate) fn kill(&mut self, id: u32) {
            if self.leaders.remove(&id) {
                self.kill_now(id);
            }
        }

        fn kill_now(&self, id: u32) {
            let Ok(id) = i32::try_from(id).map(Pid::from_raw) else { return };
            // It is fine if the processes have already exited.
            let _ = match self.is_shared {
                true => kill(id, Signal::SIGKILL),
                false => killpg(id, Signal::SIGKILL),
            };
        }
    }

    impl Drop for Groups {
        fn drop(&mut self) {
            self.leaders.iter().for_each(|id| self.kill_now(*id));
        }
    }

    /// Whether this process is the first of its process group, as the child of a runner that makes groups is.
    pub fn leads_process_group() -> bool {
        nix::unistd::getpgrp() == nix::unistd::getpid()
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

        /// The jobs of Windows are nested: whoever ends our job ends those of our processes.
        pub(crate) const fn share(&mut self) {}

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

    /// Whether this process leads a process group: Windows has jobs instead, which are nested.
    pub const fn leads_process_group() -> bool {
        false
    }

    /// Ends a process: there are no signals that could be passed on to it.
    pub fn forward(_signal: i32, child: &mut dyn ChildWrapper) {
        let _ = child.start_kill();
    }
}
