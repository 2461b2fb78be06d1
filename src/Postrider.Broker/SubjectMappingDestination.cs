namespace Postrider.Broker;

/// <summary>One destination of a mapping.</summary>
/// <param name="Subject">The subject, which may contain <c>$1</c> or <c>{{wildcard(1)}}</c> for the tokens of the source's wildcards.</param>
/// <param name="Weight">Share of the messages in percent, 0 to 100.</param>
public sealed record SubjectMappingDestination(string Subject, int Weight = 100);
