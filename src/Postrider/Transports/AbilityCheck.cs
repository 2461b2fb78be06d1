using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Rejects at the start what a transport cannot do, with a proposed change.</summary>
internal static class AbilityCheck
{
    private const string Guide = "docs/guide/transports-seam.md lists what each transport can do.";

    /// <summary>The largest number of concurrent handlers: a listener that stops takes all of its slots.</summary>
    internal const int MaxConcurrency = 1_000_000;

    /// <summary>The longest time that is added to the current one: a time to live, or a delay between attempts.</summary>
    internal static readonly TimeSpan MaxTimeAhead = TimeSpan.FromDays(36_500);

    /// <summary>Checks a route.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="target">The target of the route.</param>
    /// <param name="message">The routed message.</param>
    /// <param name="response">The response that the sender waits for; null if it waits for none.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Route(ITransport transport, SendTarget target, Type message, Type? response)
    {
        var route = $"{message} is routed to '{target.Destination}' over transport '{transport.Name}'";
        if (response is not null && !transport.Abilities.HasFlag(TransportAbilities.Requests))
            throw Lacking($"{route}, which does not support requests, but its sender waits for {response}: make it a command without a response, or route it over a transport with {TransportAbilities.Requests}");
        if (response is not null && target.Delay > TimeSpan.Zero)
            throw Lacking($"{route} with Delay {target.Delay}, but its sender waits for {response}: remove Delay from the SendTarget, or make it a command without a response");
        if (response is not null && WithoutAnswers(target.MassTransit, target.NServiceBus) is { } system)
            throw Lacking($"{route} in the form of {system}, which does not support replies, but its sender waits for {response}: remove {system} from the SendTarget, or make it a command without a response");
        Target(transport, target, route);
    }

    /// <summary>Checks the delay of a route whose sender was opened.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Delay(MessageSender sender, SendTarget target, Type message)
    {
        if (target.Delay > sender.MaxDelay)
            throw Lacking($"{message} is routed to '{target.Destination}' and {TooLate(sender, target.Delay)}");
    }

    /// <summary>Describes a delay that exceeds the limit of the transport, without a full stop.</summary>
    internal static string TooLate(MessageSender sender, TimeSpan delay)
        => $"has Delay {delay}, and transport '{sender.Transport.Name}' keeps a message back for at most {sender.MaxDelay}: shorten the delay, or schedule the message in the outbox";

    /// <summary>Checks the route of a stream request.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void StreamRoute(ITransport transport, SendTarget target, Type message)
    {
        var route = $"{message} is routed to '{target.Destination}' over transport '{transport.Name}'";
        if (!transport.Abilities.HasFlag(TransportAbilities.Streams))
            throw Lacking($"{route}, which does not support stream requests: route it over a transport with {TransportAbilities.Streams}");
        if (target.Delay > TimeSpan.Zero)
            throw Lacking($"{route} with Delay {target.Delay}, and its sender waits for the items: remove Delay from the SendTarget");
        if (WithoutAnswers(target.MassTransit, target.NServiceBus) is { } system)
            throw Lacking($"{route} in the form of {system}, which does not support replies, and its sender waits for the items: remove {system} from the SendTarget");
        Target(transport, target, route);
    }

    /// <summary>Checks a binding of stream requests.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void StreamBinding(ITransport transport, TransportBinding binding, Type message)
    {
        var bound = $"{message} is bound to '{binding.Source}' on transport '{transport.Name}' as a stream request";
        if (binding is AtLeastOnceBinding)
            throw Lacking($"{bound} by an {nameof(AtLeastOnceBinding)}, and a stream is sent to one caller that waits for it: use a {nameof(TransportBinding)}");
        if (!transport.Abilities.HasFlag(TransportAbilities.Streams))
            throw Lacking($"{bound}, and the transport does not support stream requests: use a transport with {TransportAbilities.Streams}");
    }

    /// <summary>Checks a target.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="target">The target.</param>
    /// <param name="route">The beginning of the message, without a full stop.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Target(ITransport transport, SendTarget target, string route)
    {
        target.CloudEvents?.Check(route);
        target.MassTransit?.Check(route);
        target.NServiceBus?.Check(route);
        if (Several(target.CloudEvents, target.MassTransit, target.NServiceBus))
            throw Lacking($"{route} in more than one form: set one of CloudEvents, MassTransit and NServiceBus of the SendTarget");
        if (target is { MassTransit.Form: MassTransitForm.RawJson, TimeToLive: { } time })
            throw Lacking($"{route} as raw JSON for MassTransit with TimeToLive {time}, which that form cannot express: remove TimeToLive from the SendTarget, or use {nameof(MassTransitForm)}.{nameof(MassTransitForm.Envelope)}");
        if (target.Headers is { } headers && headers.ReservedProblem() is { } reserved)
            throw Lacking($"{route} with headers that are not allowed: {reserved.TrimEnd('.')}");
        if (target.TimeToLive <= TimeSpan.Zero)
            throw Lacking($"{route} with TimeToLive {target.TimeToLive}: it must be greater than zero");
        if (target.TimeToLive > MaxTimeAhead)
            throw Lacking($"{route} with TimeToLive {target.TimeToLive}: it must be at most {MaxTimeAhead}, or null for messages that do not expire");
        if (target.Delay < TimeSpan.Zero)
            throw Lacking($"{route} with Delay {target.Delay}: it must not be negative");
        if (target.Delay > TimeSpan.Zero && !transport.Abilities.HasFlag(TransportAbilities.Delay))
            throw Lacking($"{route} with Delay {target.Delay}, which the transport cannot do: remove Delay from the SendTarget, or route it over a transport with {TransportAbilities.Delay}");
        if (target.TimeToLive is { } life && !transport.Abilities.HasFlag(TransportAbilities.Expiry))
            throw Lacking($"{route} with TimeToLive {life}, which the transport does not support: remove TimeToLive from the SendTarget, or route it over a transport with {TransportAbilities.Expiry}");
    }

    /// <summary>Checks a binding.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Binding(ITransport transport, TransportBinding binding, Type message, bool replies)
    {
        var bound = $"{message} is bound to '{binding.Source}' on transport '{transport.Name}'";
        if (binding is not AtLeastOnceBinding && binding.MaxConcurrency is < 1 or > MaxConcurrency)
            throw Lacking($"{bound} with MaxConcurrency {binding.MaxConcurrency}, which must be from 1 to {MaxConcurrency}");
        binding.CloudEvents?.Check(bound);
        binding.MassTransit?.Check(bound);
        binding.NServiceBus?.Check(bound);
        if (Several(binding.CloudEvents, binding.MassTransit, binding.NServiceBus))
            throw Lacking($"{bound} in more than one form: set one of CloudEvents, MassTransit and NServiceBus of the binding");
        if (replies && WithoutAnswers(binding.MassTransit, binding.NServiceBus) is { } system)
            throw Lacking($"{bound} as a request in the form of {system}, which does not support replies: bind a command or a notification, or remove {system} from the binding");
        if (binding is AtLeastOnceBinding { KeepOrderBehindDeadLetters: true } and not { CloudEvents: null, MassTransit: null, NServiceBus: null })
            throw Lacking($"{bound} with KeepOrderBehindDeadLetters in a form of another system, whose key is known only when the message is read: remove KeepOrderBehindDeadLetters from the binding");
        if (binding is AtLeastOnceBinding && !transport.Abilities.HasFlag(TransportAbilities.Redelivery))
            throw Lacking($"{bound} by an {nameof(AtLeastOnceBinding)}, and the transport does not redeliver messages: use a {nameof(TransportBinding)}, or a transport with {TransportAbilities.Redelivery}");
        if (replies && binding is not AtLeastOnceBinding && !transport.Abilities.HasFlag(TransportAbilities.Requests))
            throw Lacking($"{bound} as a request, and the transport does not support requests: bind a command or a notification, or use a transport with {TransportAbilities.Requests}");
        if (binding.Group is not null && !transport.Abilities.HasFlag(TransportAbilities.Groups))
            throw Lacking($"{bound} with Group '{binding.Group}', which the transport does not support: remove Group from the binding");
        if (binding is { OrderByKey: true, MaxConcurrency: > 1 } && !transport.Abilities.HasFlag(TransportAbilities.OrderByKey))
            throw Lacking($"{bound} with OrderByKey and MaxConcurrency {binding.MaxConcurrency}, and the transport does not keep the order of delivery: set MaxConcurrency to 1, or use a transport with {TransportAbilities.OrderByKey}");
    }

    /// <summary>Checks that no other message shares the source of a binding: whichever listener takes a message reads it as its own type.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="binding">The binding.</param>
    /// <param name="message">Its message.</param>
    /// <param name="others">The bindings that listen already, with their messages.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Source(ITransport transport, TransportBinding binding, Type message, IEnumerable<(Type Message, TransportBinding Binding)> others)
    {
        foreach (var (other, bound) in others)
        {
            if (other != message && bound.Source == binding.Source && bound.SharedBy == binding.SharedBy
                && (binding.SharedBy is not null || !transport.Abilities.HasFlag(TransportAbilities.Groups)))
            {
                throw new PostriderException(
                    PostriderError.Configuration,
                    $"{other} and {message} are both bound to '{binding.Source}' on transport '{transport.Name}', where each message is given to one of the two, whatever its type: bind each type to a source of its own.");
            }
        }
    }

    private static string? WithoutAnswers(MassTransitOptions? massTransit, NServiceBusOptions? nServiceBus)
        => massTransit is not null ? "MassTransit" : nServiceBus is not null ? "NServiceBus" : null;

    private static bool Several(params ReadOnlySpan<object?> forms)
    {
        var count = 0;
        foreach (var form in forms)
            count += form is null ? 0 : 1;
        return count > 1;
    }

    private static PostriderException Lacking(string what) => new(PostriderError.Configuration, $"{what}. {Guide}");
}
