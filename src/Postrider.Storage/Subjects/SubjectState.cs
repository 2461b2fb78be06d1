namespace Postrider.Storage.Subjects;

/// <summary>What a store knows of one subject.</summary>
/// <param name="Messages">Messages with that subject.</param>
/// <param name="First">Sequence of the oldest.</param>
/// <param name="Last">Sequence of the newest.</param>
internal readonly record struct SubjectState(long Messages, ulong First, ulong Last);
