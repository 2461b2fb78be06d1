namespace Postrider.Sagas;

/// <summary>Marks the property of a message that has the id of its saga: a <see cref="string"/>, <see cref="Guid"/> or number.</summary>
/// <remarks>A message without the attribute is found by <see cref="CorrelateByAttribute"/> of the method, by
/// <see cref="SagaSettings{TSaga}.Correlate"/>, or by its <see cref="IKeyed.Key"/>.</remarks>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field | AttributeTargets.Parameter)]
public sealed class SagaIdAttribute : Attribute;
