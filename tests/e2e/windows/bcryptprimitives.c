/* What programs of Rust need of a library of Windows 10 that wine 8 lacks. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PUCHAR data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
