namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A publish with everything that its headers may ask for.</summary>
internal sealed record ReferencePublish(string Subject, byte[] Payload)
{
    public string? Id { get; init; }

    public string? ExpectedStream { get; init; }

    public string? ExpectedLastId { get; init; }

    public ulong? ExpectedLastSequence { get; init; }

    public ulong? ExpectedLastSubjectSequence { get; init; }

    public string? Rollup { get; init; }

    public uint TimeToLive { get; init; }

    public (string Name, string Value)[] Headers()
    {
        var headers = new List<(string, string)>();
        if (Id is not null) headers.Add(("Nats-Msg-Id", Id));
        if (ExpectedStream is not null) headers.Add(("Nats-Expected-Stream", ExpectedStream));
        if (ExpectedLastId is not null) headers.Add(("Nats-Expected-Last-Msg-Id", ExpectedLastId));
        if (ExpectedLastSequence is not null) headers.Add(("Nats-Expected-Last-Sequence", $"{ExpectedLastSequence}"));
        if (ExpectedLastSubjectSequence is not null) headers.Add(("Nats-Expected-Last-Subject-Sequence", $"{ExpectedLastSubjectSequence}"));
        if (Rollup is not null) headers.Add(("Nats-Rollup", Rollup));
        if (TimeToLive > 0) headers.Add(("Nats-TTL", $"{TimeToLive}"));
        return [.. headers];
    }
}
