//! The UGI protocol and its leap extensions as types.
