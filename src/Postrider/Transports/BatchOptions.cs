namespace Postrider.Transports;

/// <summary>When the messages of a binding are handled as a batch.</summary>
public sealed record BatchOptions
{
    private const int MaxMaxMessages = 10_000;

    /// <summary>Number of messages that are handled together, at most: from 1 to 10,000.</summary>
    public int MaxMessages { get; init; } = 100;

    /// <summary>The maximum time that the first message of a batch waits for others. Greater than zero, at most a minute.</summary>
    public TimeSpan MaxWait { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Number of batches that are handled concurrently; 1 keeps the order of all messages. With
    /// <see cref="TransportBinding.OrderByKey"/> the messages of one key are in one of them at a time.</summary>
    public int MaxConcurrentBatches { get; init; } = 1;

    /// <summary>Rejects invalid options.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal void Check(TransportBinding binding, Type message)
    {
        ArgumentNullException.ThrowIfNull(binding);
        if (MaxMessages is < 1 or > MaxMaxMessages)
            throw Wrong($"MaxMessages is {MaxMessages} and must be from 1 to {MaxMaxMessages}");
        if (MaxWait <= TimeSpan.Zero || MaxWait > TimeSpan.FromMinutes(1))
            throw Wrong($"MaxWait is {MaxWait} and must be greater than zero and at most a minute");
        if (MaxConcurrentBatches < 1)
            throw Wrong($"MaxConcurrentBatches is {MaxConcurrentBatches} and must be at least 1");
        if (binding.MaxConcurrency < MaxMessages)
            throw Wrong($"MaxMessages is {MaxMessages}, but MaxConcurrency of the binding lets only {binding.MaxConcurrency} messages wait: set MaxConcurrency to at least {MaxMessages}");
        if (binding is AtLeastOnceBinding { KeepOrderBehindDeadLetters: true })
            throw Wrong("the binding has KeepOrderBehindDeadLetters, which handles the messages of a key one by one: remove it, or bind the message without batches");

        PostriderException Wrong(string what)
            => new(PostriderError.Configuration, $"{message} is bound to '{binding.Source}' in batches that are not valid: {what}.");
    }
}
