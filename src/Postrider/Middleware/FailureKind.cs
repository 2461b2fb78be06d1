using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Whose fault a failure is, and what may be said of it to somebody outside.</summary>
internal readonly record struct FailureKind
{
    // The text of any other exception is for the log: it may name types, paths, hosts or what a database was asked.
    private const string HiddenText = "The handler failed.";

    private FailureKind(string code, string text, bool isOfSender = false) => (Code, Text, IsOfSender) = (code, text, isOfSender);

    /// <summary>What the answer calls it.</summary>
    internal string Code { get; }

    /// <summary>What the answer says of it.</summary>
    internal string Text { get; }

    /// <summary>The sender made a mistake or asked for what it may not have: nothing is wrong with the program that handles it.</summary>
    internal bool IsOfSender { get; }

    internal static FailureKind Of(Exception failure) => failure switch
    {
        UnreadableMessageException => new(nameof(PostriderError.Codec), failure.Message, isOfSender: true),
        InvalidMessageException => new("Invalid", failure.Message, isOfSender: true),
        PostriderException { Error: PostriderError.Refused } => new(nameof(PostriderError.Refused), failure.Message, isOfSender: true),
        PostriderException { Error: PostriderError.NoHandler } => new(nameof(PostriderError.NoHandler), "There is no handler for the message."),
        PostriderException { Error: PostriderError.QueueFull } => new(nameof(PostriderError.QueueFull), "The queue is full."),
        CircuitBreakerOpenException => new("Unavailable", "A service that the handler needs is not available."),
        TimeoutException => new("Timeout", "The handler exceeded its time limit."),
        _ => new("Internal", HiddenText),
    };
}
