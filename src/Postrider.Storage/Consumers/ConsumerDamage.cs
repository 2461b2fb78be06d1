using Postrider.Storage.Records;

namespace Postrider.Storage.Consumers;

/// <summary>What is wrong with a consumer's state on the disk.</summary>
/// <param name="Problem">For people: which file, what is wrong with it, and what stood in for it.</param>
/// <param name="IsLoss">Whether something about deliveries or acknowledgements may be lost.</param>
/// <param name="IsMissing">Whether nothing at all is known of the consumer's position.</param>
/// <param name="Unknown">Delivered stream sequences whose acknowledgement is unknown; ascending.</param>
internal sealed record ConsumerDamage(string Problem, bool IsLoss, bool IsMissing, IReadOnlyList<SequenceRange> Unknown);
