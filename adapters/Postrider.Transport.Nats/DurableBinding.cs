using Postrider.Client.JetStream.Models;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Binds to messages of a stream through a durable consumer: they are kept until a handler has finished with them.</summary>
/// <param name="Source">The subject, which may contain wildcards: the consumer filters by it, and it identifies the stream.</param>
/// <remarks>Processes with the same <see cref="Consumer"/> share the messages. <see cref="AtLeastOnceBinding.DeadLetter"/> is a subject
/// that a stream must store; null terminates the message at the consumer.</remarks>
public sealed record DurableBinding(string Source) : AtLeastOnceBinding(Source)
{
    /// <summary>The durable consumer's name; the same in every process that shares the messages.</summary>
    public required string Consumer { get; init; }

    /// <summary>The stream; null for the one that stores <c>Source</c>.</summary>
    public string? Stream { get; init; }

    /// <summary>Whether the consumer must already exist and is used unchanged. False creates it, or updates it to match this binding.</summary>
    public bool BindOnly { get; init; }

    /// <summary>Changes the consumer's configuration before it is created; null leaves it unchanged. Not called with
    /// <see cref="BindOnly"/>.</summary>
    public Func<ConsumerConfig, ConsumerConfig>? Configure { get; init; }

    /// <summary>How long after a process's last sign of progress its messages are given to another one. While a handler runs, the process
    /// reports progress three times in this period. 30 s by default.</summary>
    public TimeSpan AckWait { get; init; } = TimeSpan.FromSeconds(30);

    /// <inheritdoc/>
    protected override string? SharedBy => Consumer;

    /// <inheritdoc/>
    protected override void Validate()
    {
        if (Group is not null) throw Contradiction("it has a Group, which listeners that share a durable consumer do not need");
        if (AckWait < TimeSpan.FromMilliseconds(100)) throw Contradiction($"AckWait is {AckWait} and must be at least 100 ms");
        if (DeadLetter is { } deadLetter)
        {
            if (deadLetter.Length == 0 || deadLetter.AsSpan().ContainsAny("*> ")) throw Contradiction($"DeadLetter '{deadLetter}' is not a single subject");
            if (Matches(Source, deadLetter)) throw Contradiction($"DeadLetter '{deadLetter}' is a subject of the binding itself");
        }

        base.Validate();
    }

    /// <inheritdoc/>
    protected override PostriderException Contradiction(string what)
        => new(PostriderError.Configuration, $"The binding of '{Source}' to consumer '{Consumer}' is not valid: {what}.");

    private static bool Matches(string filter, string subject)
    {
        var (filters, tokens) = (filter.Split('.'), subject.Split('.'));
        for (var i = 0; i < filters.Length; i++)
        {
            if (filters[i] == ">") return tokens.Length > i;
            if (i >= tokens.Length || (filters[i] != "*" && filters[i] != tokens[i])) return false;
        }
        return filters.Length == tokens.Length;
    }
}
