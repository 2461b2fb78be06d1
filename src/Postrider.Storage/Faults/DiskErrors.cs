namespace Postrider.Storage.Faults;

/// <summary>Interprets the system's errors.</summary>
internal static class DiskErrors
{
    private const int NoSpaceUnix = 28;
    private const int ReadOnlyUnix = 30;
    private const int QuotaLinux = 122;
    private const int QuotaMac = 69;
    private const int DiskFullWindows = unchecked((int)0x80070070);
    private const int HandleDiskFullWindows = unchecked((int)0x80070027);
    private const int WriteProtectWindows = unchecked((int)0x80070013);

    /// <summary>Whether the exception is a disk error and not a defect of the program.</summary>
    public static bool IsDiskError(Exception exception) => exception is IOException or UnauthorizedAccessException;

    /// <summary>The reason of a disk error for clients: exception messages contain paths of this machine.</summary>
    public static string ReasonOf(Exception exception) => ToFault("", exception).Reason;

    /// <summary>Creates the fault for an exception.</summary>
    /// <param name="doing">The failed operation, for messages.</param>
    /// <param name="exception">The system's exception.</param>
    public static StoreFault ToFault(string doing, Exception exception)
    {
        var kind = exception switch
        {
            StoreException store => store.Kind,
            UnauthorizedAccessException => StoreFaultKind.ReadOnlyDisk,
            IOException { HResult: NoSpaceUnix or QuotaLinux or QuotaMac or DiskFullWindows or HandleDiskFullWindows } => StoreFaultKind.DiskFull,
            IOException { HResult: ReadOnlyUnix or WriteProtectWindows } => StoreFaultKind.ReadOnlyDisk,
            _ => StoreFaultKind.IoError,
        };
        return new StoreFault(kind, $"{doing}: {exception.Message}");
    }
}
