namespace Postrider.Storage.Encryption;

/// <summary>What a segment of an encrypted file says. The values are on the disk.</summary>
internal enum SegmentKind : byte
{
    /// <summary>Bytes of the file.</summary>
    Data = 1,

    /// <summary>The file was cut or extended to a length.</summary>
    Cut = 2,
}
