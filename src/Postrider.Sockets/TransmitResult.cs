namespace Postrider.Sockets;

/// <summary>How a send to the system went.</summary>
internal enum TransmitResult
{
    /// <summary>All offered bytes were taken, or some and more may be taken at once.</summary>
    Done,

    /// <summary>The system takes no more now: the engine calls <see cref="Outbox.Continue"/> when it does.</summary>
    Blocked,

    /// <summary>The send goes on by itself and ends in <see cref="Outbox.Continue"/>.</summary>
    UnderWay,

    /// <summary>The connection failed and was closed.</summary>
    Failed,
}
