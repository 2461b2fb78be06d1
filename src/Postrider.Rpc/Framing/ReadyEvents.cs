namespace Postrider.Rpc.Framing;

/// <summary>What a transport that waited can go on with.</summary>
[Flags]
internal enum ReadyEvents
{
    /// <summary>It did not wait for what happened.</summary>
    Nothing = 0,

    /// <summary>There is something to receive.</summary>
    Receive = 1,

    /// <summary>There is room to send.</summary>
    Send = 2,

    /// <summary>It is connected, or it will not be.</summary>
    Connect = 4,
}
