namespace Postrider.Broker.Subjects;

/// <summary>How much of a subject decides which patterns match: its last tokens may be any.</summary>
/// <param name="Bytes">The number of the first bytes, up to and with a dot; 0 when all of the subject decides.</param>
/// <param name="IsBeforeLast">Whether exactly one token follows; otherwise one or more.</param>
internal readonly record struct DecisiveBeginning(int Bytes, bool IsBeforeLast);
