using Confluent.Kafka;
using Confluent.Kafka.Admin;

namespace Postrider.Transport.Kafka;

/// <summary>The topics that a binding needs.</summary>
internal sealed class KafkaTopology(KafkaConnection connection, KafkaBinding binding)
{
    // The servers' own default, from Kafka 2.4 on.
    private const int ServersDefault = -1;

    /// <summary>Compares the servers with the binding and changes nothing.</summary>
    internal async ValueTask<IReadOnlyList<KafkaTopologyChange>> PlanAsync(CancellationToken ct)
    {
        var changes = new List<KafkaTopologyChange>();
        foreach (var (topic, partitions) in Topics())
        {
            var found = (await connection.AskAsync(topic, ct).ConfigureAwait(false)).Topics.Single();
            if (KafkaErrors.IsUnknownTopic(found.Error.Code))
                changes.Add(new(topic, null));
            else if (KafkaErrors.IsRejected(found.Error.Code))
                throw connection.Rejected(found.Error, new KafkaException(found.Error));
            else if (partitions is { } wanted && found.Partitions.Count > 0 && found.Partitions.Count < wanted)
                changes.Add(new(topic, $"it has {found.Partitions.Count} partition{(found.Partitions.Count == 1 ? "" : "s")} and the binding asks for {wanted}"));
        }

        return changes;
    }

    /// <summary>Creates missing topics; existing ones are not changed.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a topic differs, or may not be
    /// created; <see cref="PostriderError.NoListener"/>: one is missing and the binding does not declare it.</exception>
    internal async ValueTask ApplyAsync(bool creates, CancellationToken ct)
    {
        var changes = await PlanAsync(ct).ConfigureAwait(false);
        if (changes.FirstOrDefault(static change => change.Difference is not null) is { } different)
            throw new PostriderException(PostriderError.Configuration, $"The binding of '{binding.Source}' does not match topic '{different.Topic}': {different.Difference}. Change the binding, or add partitions, which moves keys to others; nothing was changed.");
        if (changes.Count == 0)
            return;
        if (!creates)
            throw new PostriderException(PostriderError.NoListener, $"There is no topic '{changes[0].Topic}', and the binding of '{binding.Source}' does not declare it ({nameof(KafkaBinding.DeclaresTopology)} is false). Create the topic, or set {nameof(KafkaBinding.DeclaresTopology)} to true.");
        using var admin = new DependentAdminClientBuilder(connection.Producer.Handle).Build();
        try
        {
            var missing = Topics().Where(topic => changes.Any(change => change.Topic == topic.Topic))
                .Select(static topic => new TopicSpecification { Name = topic.Topic, NumPartitions = topic.Partitions ?? ServersDefault, ReplicationFactor = ServersDefault });
            await admin.CreateTopicsAsync(missing, new CreateTopicsOptions { RequestTimeout = connection.Options.Observability.ProbeTimeout }).WaitAsync(ct).ConfigureAwait(false);
        }
        catch (CreateTopicsException refused) when (refused.Results.All(static result => !result.Error.IsError || result.Error.Code == ErrorCode.TopicAlreadyExists))
        {
            // Another process created it in the meantime.
        }
        catch (KafkaException refused)
        {
            var reasons = refused is CreateTopicsException { Results: { } results } ? string.Join("; ", results.Where(static result => result.Error.IsError).Select(static result => $"'{result.Topic}': {result.Error.Reason}")) : refused.Error.Reason;
            throw new PostriderException(
                PostriderError.Configuration,
                $"The topics that the binding of '{binding.Source}' needs could not be created ({reasons}). Create {string.Join(" and ", changes.Select(static change => $"'{change.Topic}'"))} in another way, or grant the account the permission to.",
                refused);
        }
    }

    private IEnumerable<(string Topic, int? Partitions)> Topics()
    {
        yield return (binding.Source, binding.Partitions);
        if (binding.DeadLetter is { } deadLetter)
            yield return (deadLetter, null);
    }
}
