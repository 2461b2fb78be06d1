namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A message of <see cref="ReferenceCommits"/>.</summary>
/// <param name="Subject">Its subject.</param>
/// <param name="Payload">Its payload.</param>
/// <param name="At">When it is due, seconds since 1970; 0 for no schedule.</param>
/// <param name="Sum">What a counter reached.</param>
internal sealed record ReferenceCommit(string Subject, string Payload, long At = 0, long Sum = 0);
