namespace Postrider.Sockets;

/// <summary>The outer form of TLS records: type, version, length, then that many bytes.</summary>
/// <remarks>Source: RFC 8446, section 5.1; RFC 5246, section 6.2.</remarks>
internal static class TlsRecord
{
    /// <summary>The first byte of a handshake.</summary>
    public const byte HandshakeType = 0x16;

    /// <summary>The longest record: header, 16 KiB, and the overhead of encryption that TLS 1.2 allows.</summary>
    public const int MaxBytes = HeaderBytes + MaxContentBytes;

    private const int HeaderBytes = 5;
    private const int MaxContentBytes = (16 * 1024) + 2048;
    private const byte FirstType = 0x14;
    private const byte LastType = 0x18;
    private const byte MajorVersion = 3;

    /// <summary>Reads the length of the record at the front.</summary>
    /// <param name="input">Bytes that begin at a record.</param>
    /// <returns>The bytes of the record with its header; 0 when the header is not complete; -1 when this is no TLS record.</returns>
    public static int LengthOf(ReadOnlySpan<byte> input)
    {
        if (input.IsEmpty) return 0;
        if (input[0] is < FirstType or > LastType || (input.Length > 1 && input[1] != MajorVersion)) return -1;
        if (input.Length < HeaderBytes) return 0;
        var content = (input[3] << 8) | input[4];
        return content > MaxContentBytes ? -1 : HeaderBytes + content;
    }

    /// <summary>Counts the bytes of the complete records at the front.</summary>
    /// <param name="input">Bytes that begin at a record.</param>
    /// <param name="neededBytes">The size of the incomplete record after them; 0 when it is unknown.</param>
    /// <returns>0 or more; from bytes that are not a record on, all bytes count too: the stream above rejects them.</returns>
    public static int CountComplete(ReadOnlySpan<byte> input, out int neededBytes)
    {
        var bytes = 0;
        while (true)
        {
            var record = LengthOf(input[bytes..]);
            if (record < 0) record = input.Length - bytes;
            neededBytes = record;
            if (record == 0 || bytes + record > input.Length) return bytes;
            bytes += record;
        }
    }
}
