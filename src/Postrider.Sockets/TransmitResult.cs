namespace Postrider.Sockets;

/// <summary>The result of a send to the system.</summary>
internal enum TransmitResult
{
    /// <summary>All offered bytes were accepted, or some and more may be offered at once.</summary>
    Done,

    /// <summary>The system accepts no more now: the engine calls <see cref="Outbox.ContinueBlocked"/> when it does.</summary>
    Blocked,

    /// <summary>The send continues by itself and completes in <see cref="Outbox.Continue"/>.</summary>
    UnderWay,

    /// <summary>The connection failed and was closed.</summary>
    Failed,
}
