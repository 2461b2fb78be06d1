using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.Transport.Nats;

/// <summary>Finds or makes the consumer of a binding.</summary>
internal sealed class DurableConsumer
{
    private readonly JetStreamContext _streams;
    private readonly DurableBinding _binding;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    public DurableConsumer(JetStreamContext streams, DurableBinding binding)
    {
        _streams = streams;
        _binding = binding;
        Check();
    }

    /// <summary>Opens it.</summary>
    /// <exception cref="PostriderException">No stream listens to the subject (<see cref="PostriderError.NoListener"/>), or the consumer
    /// that is there is of another kind.</exception>
    /// <exception cref="NatsClientException">The server rejects the request, or does not answer.</exception>
    public async Task<JetStreamConsumer> OpenAsync(CancellationToken ct)
    {
        var stream = _binding.Stream ?? await FindStreamAsync(_binding.Source, "", ct).ConfigureAwait(false);
        if (_binding.BindOnly)
        {
            var bound = await _streams.GetConsumerAsync(stream, _binding.Consumer, ct).ConfigureAwait(false);
            return bound.Info.Config.AckPolicy == AckPolicy.Explicit
                ? bound
                : throw Contradiction($"the consumer has AckPolicy {bound.Info.Config.AckPolicy}, and it needs Explicit");
        }
        // Found out now and not with the first dead letter.
        if (_binding.DeadLetter is { } deadLetter) await FindStreamAsync(deadLetter, ", the subject of its dead letters", ct).ConfigureAwait(false);
        var config = new ConsumerConfig
        {
            DurableName = _binding.Consumer,
            FilterSubject = _binding.Source,
            AckPolicy = AckPolicy.Explicit,
            AckWait = _binding.AckWait,
            // The listener counts: a message that the server gives up would stay in the stream unnoticed.
            MaxDeliver = -1,
        };
        return await _streams.CreateOrUpdateConsumerAsync(stream, _binding.Configure?.Invoke(config) ?? config, ct).ConfigureAwait(false);
    }

    private async Task<string> FindStreamAsync(string subject, string use, CancellationToken ct)
        => await _streams.FindStreamNameAsync(subject, ct).ConfigureAwait(false)
            ?? throw new PostriderException(PostriderError.NoListener, $"No stream has the subject '{subject}'{use}.");

    private void Check()
    {
        if (_binding.MaxConcurrency < 1) throw Contradiction($"MaxConcurrency is {_binding.MaxConcurrency} and must be at least 1");
        if (_binding.Group is not null) throw Contradiction("it has a Group, which listeners that share a durable consumer do not need");
        if (_binding.AckWait < TimeSpan.FromMilliseconds(100)) throw Contradiction($"AckWait is {_binding.AckWait} and must be at least 100 ms");
        if (_binding.Retry.MaxAttempts < 1) throw Contradiction($"Retry.MaxAttempts is {_binding.Retry.MaxAttempts} and must be at least 1");
        if (_binding.Retry.Budget is not null) throw Contradiction("Retry has a Budget, which would give a message up because others failed");
        if (_binding.DeadLetter is not { } deadLetter) return;
        if (deadLetter.Length == 0 || deadLetter.AsSpan().ContainsAny("*> ")) throw Contradiction($"DeadLetter '{deadLetter}' is not a single subject");
        if (Matches(_binding.Source, deadLetter)) throw Contradiction($"DeadLetter '{deadLetter}' is a subject of the binding itself");
    }

    private PostriderException Contradiction(string what)
        => new(PostriderError.Configuration, $"The binding of '{_binding.Source}' to consumer '{_binding.Consumer}' is not valid: {what}.");

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
