using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Classifies a failure by its origin, and decides what may be reported to callers outside.</summary>
internal readonly record struct FailureKind
{
    // The text of any other exception is for the log: it may name types, paths, hosts or a database query.
    private const string HiddenText = "The handler failed.";

    private FailureKind(string code, string text, bool isOfSender = false) => (Code, Text, IsOfSender) = (code, text, isOfSender);

    /// <summary>The code in the reply.</summary>
    internal string Code { get; }

    /// <summary>The text in the reply.</summary>
    internal string Text { get; }

    /// <summary>Whether the sender made a mistake or lacks a permission: the handling program works correctly.</summary>
    internal bool IsOfSender { get; }

    /// <summary>The process that handles the message is stopping.</summary>
    internal static FailureKind Stopped { get; } = new("Unavailable", "The service is stopping.");

    internal static FailureKind Of(Exception failure) => failure switch
    {
        UnreadableMessageException => new(nameof(PostriderError.Codec), failure.Message, isOfSender: true),
        InvalidMessageException => new("Invalid", failure.Message, isOfSender: true),
        PostriderException { Error: PostriderError.Refused } => new(nameof(PostriderError.Refused), failure.Message, isOfSender: true),
        PostriderException { Error: PostriderError.NoHandler } => new(nameof(PostriderError.NoHandler), "There is no handler for the message."),
        PostriderException { Error: PostriderError.QueueFull } => new(nameof(PostriderError.QueueFull), "The queue is full."),
        CircuitBreakerOpenException or PostriderException { Error: PostriderError.Unavailable } => new("Unavailable", "A service that the handler needs is not available."),
        TimeoutException => new("Timeout", "The handler exceeded its time limit."),
        _ => new("Internal", HiddenText),
    };
}
