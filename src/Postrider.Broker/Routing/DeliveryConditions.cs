namespace Postrider.Broker.Routing;

/// <summary>What a delivery must look at, beside copying the message. Zero on the fast path.</summary>
[Flags]
internal enum DeliveryConditions
{
    /// <summary>Nothing: the message is copied.</summary>
    None = 0,

    /// <summary>The subscription ended.</summary>
    Closed = 1,

    /// <summary>It ends after a number of messages.</summary>
    Limited = 2,

    /// <summary>Its client does not hear its own messages.</summary>
    NoEcho = 4,

    /// <summary>Its client does not understand headers.</summary>
    NoHeaders = 8,

    /// <summary>Some of the subjects it covers are denied to its client.</summary>
    HasDeniedSubjects = 16,

    /// <summary>Its client may answer the reply subjects it receives.</summary>
    TracksReplies = 32,

    /// <summary>It is the broker's own service.</summary>
    Handler = 64,

    /// <summary>It leads into another account: see <see cref="CrossAccountSubscription"/>.</summary>
    CrossAccount = 128,

    /// <summary>Its client belongs to another account: see <see cref="ImportedSubscription"/>.</summary>
    Imported = 256,

    /// <summary>It is another server's interest: see <see cref="PeerSubscription"/>.</summary>
    Peer = 512,

    /// <summary>What leads out of the account.</summary>
    AcrossAccounts = CrossAccount | Imported,
}
