namespace Postrider;

/// <summary>What went wrong in a <see cref="PostriderException"/>.</summary>
public enum PostriderError
{
    /// <summary>No handler is known for the message's type.</summary>
    NoHandler,

    /// <summary>The handler's response is of another type than the one asked for.</summary>
    WrongResponse,

    /// <summary>A replaced or routed handler was called through a typed overload that is compiled to a direct call.</summary>
    DirectCall,

    /// <summary>The bytes could not be decoded, or the codec knows nothing of the type.</summary>
    Codec,

    /// <summary>The transport has no listener at the destination.</summary>
    NoListener,

    /// <summary>The other side answered with an error.</summary>
    Remote,

    /// <summary>The configuration is contradictory.</summary>
    Configuration,

    /// <summary>A middleware refused the message.</summary>
    Refused,

    /// <summary>The queue of background notifications is full, or is closing.</summary>
    QueueFull,
}
