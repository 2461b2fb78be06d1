using Postrider.Storage.Records;

namespace Postrider.Storage.Consumers;

/// <summary>The damage of a consumer's state on the disk.</summary>
/// <param name="Problem">A description for operators: the file, the damage, and what was used instead.</param>
/// <param name="IsLoss">Whether something about deliveries or acknowledgements may be lost.</param>
/// <param name="IsMissing">Whether nothing is known of the consumer's position.</param>
/// <param name="Unknown">Delivered stream sequences whose acknowledgement is unknown; ascending.</param>
internal sealed record ConsumerDamage(string Problem, bool IsLoss, bool IsMissing, IReadOnlyList<SequenceRange> Unknown);
