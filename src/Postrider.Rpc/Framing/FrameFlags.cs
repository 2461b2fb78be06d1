namespace Postrider.Rpc.Framing;

/// <summary>The optional parts before a frame's body, in this order.</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,

    /// <summary>Four bytes: the milliseconds that the call may take.</summary>
    Timeout = 1,

    /// <summary>Headers: a count (two bytes), then for each a name (one byte of length) and a value (two).</summary>
    Headers = 2,

    All = Timeout | Headers,
}
