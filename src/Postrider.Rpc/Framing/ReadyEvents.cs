namespace Postrider.Rpc.Framing;

/// <summary>The operations of a waiting transport that can continue.</summary>
[Flags]
internal enum ReadyEvents
{
    /// <summary>None.</summary>
    Nothing = 0,

    /// <summary>Data can be received.</summary>
    Receive = 1,

    /// <summary>Data can be sent.</summary>
    Send = 2,

    /// <summary>Connecting has succeeded or failed.</summary>
    Connect = 4,
}
