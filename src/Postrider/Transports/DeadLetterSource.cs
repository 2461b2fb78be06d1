namespace Postrider.Transports;

/// <summary>A destination of dead letters, and the transport that keeps them.</summary>
/// <param name="Transport">The name of the transport.</param>
/// <param name="Source">The destination: <see cref="AtLeastOnceBinding.DeadLetter"/> of a binding.</param>
/// <remarks>A container has one for each binding with dead letters that was added by <see cref="TransportBuilder"/>, as services of this type;
/// bindings that share a destination each have one.</remarks>
public sealed record DeadLetterSource(string Transport, string Source);
