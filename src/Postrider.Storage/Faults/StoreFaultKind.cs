namespace Postrider.Storage.Faults;

/// <summary>The class of a <see cref="StoreFault"/>.</summary>
internal enum StoreFaultKind
{
    /// <summary>No space left on the device, or a quota is used up.</summary>
    DiskFull,

    /// <summary>The medium or the folder is not writable.</summary>
    ReadOnlyDisk,

    /// <summary>The files were removed while the store was in use.</summary>
    Removed,

    /// <summary>Any other error of the disk.</summary>
    IoError,

    /// <summary>The store was closed.</summary>
    Closed,
}
