namespace Postrider.Broker.Routing;

/// <summary>The conditions that a delivery must check. Zero on the fast path.</summary>
[Flags]
internal enum DeliveryConditions
{
    /// <summary>No condition: the message is copied.</summary>
    None = 0,

    /// <summary>The subscription has ended.</summary>
    Closed = 1,

    /// <summary>It ends after a number of messages.</summary>
    Limited = 2,

    /// <summary>Its client does not receive its own messages.</summary>
    NoEcho = 4,

    /// <summary>Its client does not support headers.</summary>
    NoHeaders = 8,

    /// <summary>Some of the subjects that it covers are denied to its client.</summary>
    HasDeniedSubjects = 16,

    /// <summary>Its client may publish to the reply subjects that it receives.</summary>
    TracksReplies = 32,

    /// <summary>It belongs to an internal subscriber.</summary>
    Handler = 64,

    /// <summary>It leads into another account: see <see cref="CrossAccountSubscription"/>.</summary>
    CrossAccount = 128,

    /// <summary>Its client belongs to another account: see <see cref="ImportedSubscription"/>.</summary>
    Imported = 256,

    /// <summary>It is another server's interest: see <see cref="PeerSubscription"/>.</summary>
    Peer = 512,

    /// <summary>It leads out of the account.</summary>
    AcrossAccounts = CrossAccount | Imported,
}
