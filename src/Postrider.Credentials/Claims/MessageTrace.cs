namespace Postrider.Credentials;

/// <summary>The tracing of an account's messages whose header <c>traceparent</c> requests it.</summary>
/// <param name="Destination">The subject that traces are sent to.</param>
/// <param name="Sampling">The percentage of them that is traced; 0 for 100.</param>
public sealed record MessageTrace(string Destination, int Sampling);
