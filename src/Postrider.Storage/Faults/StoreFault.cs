namespace Postrider.Storage.Faults;

/// <summary>Why a store is read-only.</summary>
/// <param name="Kind">The class of fault.</param>
/// <param name="Message">For operators: the file, the operation, the system's message.</param>
internal sealed record StoreFault(StoreFaultKind Kind, string Message)
{
    /// <summary>The reason for clients, without paths of this machine.</summary>
    public string Reason => Kind switch
    {
        StoreFaultKind.DiskFull => "No space left on device",
        StoreFaultKind.ReadOnlyDisk => "The file system is read-only",
        StoreFaultKind.Removed => "The stream's files were removed while the server was running",
        StoreFaultKind.Closed => "The store is closed",
        _ => "Input/output error",
    };
}
