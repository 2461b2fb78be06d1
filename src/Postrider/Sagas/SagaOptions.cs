namespace Postrider.Sagas;

/// <summary>Options of all sagas of a container.</summary>
/// <remarks>Read when a saga handles its first message, and checked when the host starts.</remarks>
public sealed class SagaOptions
{
    private readonly Dictionary<Type, SagaSettings> _settings = [];

    /// <summary>How long an ended saga is remembered; 7 days by default, greater than zero. During this time its messages are ignored, and
    /// the id cannot be started again.</summary>
    public TimeSpan KeepFor { get; set; } = TimeSpan.FromDays(7);

    /// <summary>The treatment of messages without a saga; <see cref="MissingSaga.Retry"/> by default.</summary>
    public MissingSaga Missing { get; set; }

    /// <summary>The largest stored state in bytes, with the messages that wait to be sent; 512 KiB by default, at least 1,024. A message that would
    /// make it larger fails. The store may have a lower limit.</summary>
    public int MaxBytes { get; set; } = 512 * 1024;

    /// <summary>The settings of one saga.</summary>
    /// <typeparam name="TSaga">The class.</typeparam>
    /// <returns>The settings; the same object for each call.</returns>
    public SagaSettings<TSaga> For<TSaga>()
        where TSaga : class
    {
        if (!_settings.TryGetValue(typeof(TSaga), out var settings))
            _settings.Add(typeof(TSaga), settings = new SagaSettings<TSaga>());
        return (SagaSettings<TSaga>)settings;
    }

    internal SagaSettings<TSaga>? Find<TSaga>()
        where TSaga : class
        => (SagaSettings<TSaga>?)_settings.GetValueOrDefault(typeof(TSaga));

    internal void Validate()
    {
        Require(KeepFor > TimeSpan.Zero, $"KeepFor is {KeepFor} and must be greater than zero");
        Require(Enum.IsDefined(Missing), $"Missing is {Missing}, which is not a MissingSaga. Supported: {string.Join(", ", Enum.GetNames<MissingSaga>())}");
        Require(MaxBytes >= 1024, $"MaxBytes is {MaxBytes} and must be at least 1024");
        foreach (var settings in _settings.Values)
            settings.Validate();
        var names = _settings.GroupBy(static saga => saga.Value.Name, StringComparer.Ordinal).FirstOrDefault(static same => same.Count() > 1);
        Require(names is null, $"For<{names?.First().Key.Name}>().Name is '{names?.Key}', which {names?.Last().Key} has too: their states would be mixed");
    }

    internal static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"SagaOptions.{what}.");
    }
}
