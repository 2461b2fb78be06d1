namespace Postrider.Rpc.Framing;

/// <summary>The multiplexed socket's frames: four bytes of length, a kind, flags, four bytes of call, the body; little-endian.</summary>
/// <remarks>The length excludes its own bytes. docs/guide/rpc.md describes the bodies.</remarks>
internal static class FrameFormat
{
    public const int LengthBytes = 4;

    public const int HeaderBytes = 10;

    /// <summary>The minimum frame length: kind, flags and call number.</summary>
    public const int MinLength = HeaderBytes - LengthBytes;

    /// <summary>"PRPC", then the version.</summary>
    public const uint Magic = 0x43505250;

    public const byte Version = 1;

    /// <summary>The maximum size of everything around a message: headers, names, error messages.</summary>
    public const int MaxOverheadBytes = 64 * 1024;

    /// <summary>The maximum number of operation names per connection.</summary>
    public const int MaxNames = 4096;

    /// <summary>The maximum number of headers per message.</summary>
    public const int MaxHeaders = 256;

    /// <summary>The maximum size of the headers of a message in bytes.</summary>
    public const int MaxHeaderBytes = 48 * 1024;

    /// <summary>Whether the headers are within the limits.</summary>
    public static bool CanSend(RpcHeaders headers)
    {
        // Names and values are ASCII, one byte per character; the length of a name takes one byte, that of a value two.
        var bytes = 2;
        foreach (var (name, value) in headers)
            bytes += name.Length + value.Length + 3;
        return headers.Count <= MaxHeaders && bytes <= MaxHeaderBytes;
    }
}
