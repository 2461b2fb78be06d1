namespace Postrider.Storage.Files;

/// <summary>What is on the disk when a metadata file has been written.</summary>
internal enum MetadataFlush
{
    /// <summary>Nothing for certain. After a power failure a new document may be absent, empty or damaged, so it must not replace one that
    /// is still needed.</summary>
    None,

    /// <summary>The contents. After a power failure the document is the new or the old one; without an old one it may be absent.</summary>
    Contents,

    /// <summary>The contents and the folder's entry: the new document survives a power failure.</summary>
    All,
}
