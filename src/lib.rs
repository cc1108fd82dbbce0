//! leapd.
