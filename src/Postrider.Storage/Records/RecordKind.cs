namespace Postrider.Storage.Records;

/// <summary>The kinds of records in a block.</summary>
internal enum RecordKind : byte
{
    /// <summary>A message.</summary>
    Message = 1,

    /// <summary>Messages that were removed: the payload is a <see cref="RangeList"/> of sequences.</summary>
    Removal = 2,

    /// <summary>The stream now starts at this record's sequence: everything before it is gone.</summary>
    Head = 3,

    /// <summary>A message whose content was overwritten on the disk; its length is unchanged.</summary>
    Erased = 4,
}
