namespace Postrider.Storage.Encryption;

/// <summary>The kinds of segments of an encrypted file. The values are stored on the disk.</summary>
internal enum SegmentKind : byte
{
    /// <summary>Bytes of the file.</summary>
    Data = 1,

    /// <summary>The file was truncated or extended to a length.</summary>
    Cut = 2,
}
