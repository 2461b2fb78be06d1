namespace Postrider.Broker.JetStream.Model;

/// <summary>A part of a stream's subjects, for one response.</summary>
/// <param name="All">The subjects.</param>
/// <param name="First">The place of the first one.</param>
/// <param name="Count">How many.</param>
internal sealed record SubjectPage(SubjectCounts All, int First, int Count);
