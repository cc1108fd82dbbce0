/* Rust programs need this function of a Windows 10 library that wine 8 lacks. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PUCHAR data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
