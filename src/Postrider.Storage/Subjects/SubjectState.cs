namespace Postrider.Storage.Subjects;

/// <summary>The state of one subject in a store.</summary>
/// <param name="Messages">Number of messages with that subject.</param>
/// <param name="First">Sequence of the oldest.</param>
/// <param name="Last">Sequence of the newest.</param>
internal readonly record struct SubjectState(long Messages, ulong First, ulong Last);
