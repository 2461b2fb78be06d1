namespace Postrider.Sagas;

/// <summary>Settings of one saga, whatever its class.</summary>
public abstract class SagaSettings
{
    private const int MaxNameChars = 100;
    private readonly string _class;

    private protected SagaSettings(Type saga) => Name = _class = saga.Name;

    /// <summary>The name under which the states are stored; the name of the class by default. Letters, digits, <c>-</c> and <c>_</c>, at most
    /// 100. Set it before the class is renamed.</summary>
    public string Name { get; set; }

    /// <summary>How long the ended saga is remembered; null for <see cref="SagaOptions.KeepFor"/>.</summary>
    public TimeSpan? KeepFor { get; set; }

    /// <summary>The treatment of messages without a saga; null for <see cref="SagaOptions.Missing"/>.</summary>
    public MissingSaga? Missing { get; set; }

    internal void Validate()
    {
        SagaOptions.Require(
            Name is { Length: > 0 and <= MaxNameChars } && Name.All(static c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_'),
            $"For<{_class}>().Name is '{(Name?.Length > MaxNameChars ? Name[..MaxNameChars] + "…" : Name)}': use letters, digits, '-' and '_', at most {MaxNameChars}");
        SagaOptions.Require(KeepFor is null || KeepFor > TimeSpan.Zero, $"For<{_class}>().KeepFor is {KeepFor} and must be greater than zero");
        SagaOptions.Require(Missing is null || Enum.IsDefined(Missing.Value), $"For<{_class}>().Missing is {Missing}, which is not a MissingSaga. Supported: {string.Join(", ", Enum.GetNames<MissingSaga>())}");
    }
}
