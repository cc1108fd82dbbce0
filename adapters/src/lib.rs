//! Programs around UGI engines.
