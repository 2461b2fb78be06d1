namespace Postrider.Sagas;

/// <summary>Marks a method of a saga that handles a timeout: a message that the saga has sent to itself by
/// <see cref="SagaContext.SetTimeout(object, TimeSpan)"/>.</summary>
/// <remarks>A timeout that was cancelled, set again or arrives after the end of the saga is acknowledged and ignored, and so is such a message
/// that no saga has set.</remarks>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SagaTimeoutAttribute : Attribute;
