namespace Postrider.Storage.Files;

/// <summary>What the disk has when a metadata file has been written.</summary>
internal enum MetadataFlush
{
    /// <summary>Nothing for certain. After a power cut a new document may be absent, empty or damaged, so it must not replace one that
    /// is still needed.</summary>
    None,

    /// <summary>The contents. After a power cut the document is the new one or the one before, and a new one may be absent.</summary>
    Contents,

    /// <summary>The contents and the folder's entry: the new document is there after a power cut.</summary>
    All,
}
