namespace Postrider.Sagas;

/// <summary>Defines on a method of a saga which part of its message contains the id of the saga: for messages that cannot be marked with
/// <see cref="SagaIdAttribute"/>.</summary>
/// <param name="path">The path from the message: <c>"Order.Number"</c>. It is compiled, so that a wrong one is an error.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class CorrelateByAttribute(string path) : Attribute
{
    /// <summary>The path.</summary>
    public string Path { get; } = path;
}
