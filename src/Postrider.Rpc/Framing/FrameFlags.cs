namespace Postrider.Rpc.Framing;

/// <summary>The optional parts before a frame's body, in this order.</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,

    /// <summary>Four bytes: the timeout of the call in milliseconds.</summary>
    Timeout = 1,

    /// <summary>Headers: a count (two bytes), then for each one a name (one-byte length) and a value (two-byte length).</summary>
    Headers = 2,

    All = Timeout | Headers,
}
