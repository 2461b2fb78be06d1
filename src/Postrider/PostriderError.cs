namespace Postrider;

/// <summary>The kinds of <see cref="PostriderException"/>.</summary>
public enum PostriderError
{
    /// <summary>There is no handler for the message's type.</summary>
    NoHandler,

    /// <summary>The handler returns a different type than the requested one.</summary>
    WrongResponse,

    /// <summary>A replaced or routed handler was called through a typed overload that is compiled to a direct call.</summary>
    DirectCall,

    /// <summary>The bytes are not a valid message, or no serializer supports the type or the content type.</summary>
    Codec,

    /// <summary>The transport has no listener at the destination.</summary>
    NoListener,

    /// <summary>The remote handler replied with an error.</summary>
    Remote,

    /// <summary>The configuration is contradictory.</summary>
    Configuration,

    /// <summary>A middleware rejected the message.</summary>
    Refused,

    /// <summary>The queue of background notifications is full or closing, or a queue of the transport accepts no more messages.</summary>
    QueueFull,

    /// <summary>The body is larger than the transport or the destination allows.</summary>
    TooLarge,

    /// <summary>The state that the handler read was changed by another message meanwhile. A transport that redelivers handles the message
    /// again, and this does not count as an attempt.</summary>
    Conflict,

    /// <summary>There is no saga for a message that may not start one.</summary>
    SagaNotFound,

    /// <summary>The body of a message was stored separately, and is no longer in the store.</summary>
    BodyMissing,

    /// <summary>The transport is not connected to its server, or the server does not respond. The same message may be accepted later.</summary>
    Unavailable,
}
