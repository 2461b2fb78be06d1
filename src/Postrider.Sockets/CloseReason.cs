namespace Postrider.Sockets;

/// <summary>Why a connection ended, as far as the socket layer knows.</summary>
public enum CloseReason
{
    /// <summary>The other side closed it.</summary>
    ByPeer,

    /// <summary>This side closed it.</summary>
    ByUs,

    /// <summary>Reading failed.</summary>
    ReadError,

    /// <summary>Writing failed.</summary>
    WriteError,

    /// <summary>The receiver threw: a defect, not the other side's doing.</summary>
    ReceiverFault,

    /// <summary>More bytes waited for the other side than <see cref="Outbox.MaxPendingBytes"/>.</summary>
    PendingBytesExceeded,

    /// <summary>The other side took nothing for longer than <see cref="Outbox.WriteDeadline"/>.</summary>
    WriteDeadlineExceeded,
}
