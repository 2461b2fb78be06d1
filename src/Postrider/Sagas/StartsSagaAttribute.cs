namespace Postrider.Sagas;

/// <summary>Marks a method of a saga whose message starts the saga if there is none with its id, and is handled by it otherwise.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class StartsSagaAttribute : Attribute;
