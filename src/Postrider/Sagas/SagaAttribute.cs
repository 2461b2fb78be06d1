namespace Postrider.Sagas;

/// <summary>Marks a class as a saga: its public properties are a state that is kept between messages, one for each id, and its marked methods
/// handle the messages.</summary>
/// <remarks>
/// A plain class with a constructor without parameters. Methods marked <see cref="StartsSagaAttribute"/>, <see cref="HandlerAttribute"/> or
/// <see cref="SagaTimeoutAttribute"/> take the message first, then any of <see cref="SagaContext"/>, <see cref="MessageContext"/>,
/// <see cref="CancellationToken"/> and services, and return nothing, a <see cref="Task"/> or a <see cref="ValueTask"/>. They are found when the
/// project is compiled, as handlers are. See docs/guide/sagas.md.
/// </remarks>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class SagaAttribute : Attribute;
