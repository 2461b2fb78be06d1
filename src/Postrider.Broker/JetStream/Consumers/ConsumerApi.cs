using System.Text;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.JetStream.Api;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The operations on consumers.</summary>
/// <remarks>Source: nats-server, JetStream API, whose order of checks clients see.</remarks>
internal static class ConsumerApi
{
    private const string Types = "io.nats.jetstream.api.v1.";
    private const int NamesLimit = 1024;
    private const int ListLimit = 256;
    private const int SubjectToken = 2;

    /// <summary>Adds the operations to an account's API.</summary>
    public static void Register(ConsumerRegistry engine, ApiRouter api)
    {
        const string createType = Types + "consumer_create_response";
        api.MapCommand("CONSUMER.CREATE.*", createType, (scoped in ApiRequest request) => Create(engine, in request, SubjectToken, isDurable: false));
        api.MapCommand("CONSUMER.CREATE.*.>", createType, (scoped in ApiRequest request) => Create(engine, in request, SubjectToken, isDurable: false));
        api.MapCommand("CONSUMER.DURABLE.CREATE.*.*", createType, (scoped in ApiRequest request) => Create(engine, in request, SubjectToken + 1, isDurable: true));
        api.MapQuery("CONSUMER.NAMES.*", Types + "consumer_names_response", Names);
        api.MapQuery("CONSUMER.LIST.*", Types + "consumer_list_response", List);
        api.MapInline("CONSUMER.INFO.*.*", Types + "consumer_info_response", Info);
        api.MapCommand("CONSUMER.DELETE.*.*", Types + "consumer_delete_response", (scoped in ApiRequest request) => Delete(engine, in request));
        api.MapCommand("CONSUMER.PAUSE.*.*", Types + "consumer_pause_response", (scoped in ApiRequest request) => Pause(engine, in request));
        api.MapCommand("CONSUMER.UNPIN.*.*", Types + "consumer_unpin_response", Unpin);
        api.MapCommand("CONSUMER.RESET.*.*", Types + "consumer_reset_response", Reset);
        api.MapInline("CONSUMER.LEADER.STEPDOWN.*.*", Types + "consumer_leader_stepdown_response", static (scoped in ApiRequest request) => request.Fail(ApiErrors.ClusterRequired));
    }

    /// <summary>The prefixes of request subjects.</summary>
    public static IEnumerable<string> Prefixes(JetStreamEngine engine)
        => engine.Options.Domain is { Length: > 0 } domain ? ["$JS.API.", $"$JS.{domain}.API."] : ["$JS.API."];

    private static void Create(ConsumerRegistry engine, scoped in ApiRequest request, int streamToken, bool isDurable)
    {
        if (!request.TryRead(Json(in request).ConsumerCreateRequest, out var create)) return;
        var config = WithoutEmpty(create.Config ?? new ConsumerConfig());
        var name = request.Token(streamToken + 1);
        var filter = isDurable ? "" : request.TokensFrom(streamToken + SubjectToken);
        if (FirstProblem(in request, create, config, streamToken, name, filter, isDurable) is { } problem)
        {
            request.Fail(problem);
            return;
        }
        if (name.Length > 0) config = config with { Name = name };
        if (!request.Account.TryGetStream(create.Stream, out var stream))
        {
            request.Fail(ApiErrors.StreamNotFound);
            return;
        }
        config = ForSourcing(config, stream);
        var identity = config.IsForCopies ? StreamIdentity.Of(stream) : "";
        if (identity.Length > 0 && StreamIdentity.Differs(request.Headers, identity))
        {
            request.Fail(ApiErrors.ConsumerStreamIdentityMismatchF.With("msg", identity));
            return;
        }
        if (ConsumerRegistry.Find(stream, config.Name) is { } existing) config = WithKept(config, existing.Config);
        config = config with { Metadata = ApiLevel.ToKeep(config.Metadata, RequiredLevel(config)) };
        if (engine.CreateOrUpdate(stream, config, create.Action, create.Pedantic, request.Batch, out var consumer, out var info) is { } error)
        {
            request.Fail(error);
            return;
        }
        request.Reply(ConsumerInfoMapper.ToReply(info!, request.Account.Engine), ConsumerJson.Default.ConsumerInfoReply, StreamIdentity.Header(identity));
        if (info!.Paused)
        {
            using (stream.Gate.Hold()) consumer!.Advisories.Paused(info.Config.PauseUntil, Clock.Of(info.Timestamp));
        }
        consumer!.Run(request.Batch);
    }

    // Empty values count as absent.
    private static ConsumerConfig WithoutEmpty(ConsumerConfig config)
        => config with
        {
            Durable = WithoutEmpty(config.Durable),
            Name = WithoutEmpty(config.Name),
            Description = WithoutEmpty(config.Description),
            Backoff = WithoutEmpty(config.Backoff),
            FilterSubject = WithoutEmpty(config.FilterSubject),
            FilterSubjects = WithoutEmpty(config.FilterSubjects),
            SampleFrequency = WithoutEmpty(config.SampleFrequency),
            DeliverSubject = WithoutEmpty(config.DeliverSubject),
            DeliverGroup = WithoutEmpty(config.DeliverGroup),
            PriorityGroups = WithoutEmpty(config.PriorityGroups),
        };

    private static string? WithoutEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static T[]? WithoutEmpty<T>(T[]? items) => items is [] ? null : items;

    private static ApiError? FirstProblem(
        scoped in ApiRequest request, ConsumerCreateRequest create, ConsumerConfig config, int streamToken, string name, string filter, bool isDurable)
    {
        if (request.Token(streamToken) != create.Stream) return ApiErrors.StreamMismatch;
        if (name.AsSpan().IndexOfAny('\\', '/') >= 0) return ApiErrors.ConsumerNameContainsPathSeparators;
        if (isDurable && !config.IsDurable) return ApiErrors.ConsumerDurableNameNotSet;
        if (name.Length > 0 && config.IsDurable && name != config.Durable) return ApiErrors.ConsumerDurableNameNotMatchSubject;
        if (name.Length == 0 && config.IsDurable) return ApiErrors.ConsumerEphemeralWithDurableName;
        if (filter.Length > 0 && config.FilterSubjects is { Length: > 0 }) return ApiErrors.ConsumerMultipleFiltersNotAllowed;
        if (filter.Length > 0 && config.FilterSubject != filter) return ApiErrors.ConsumerCreateFilterSubjectMismatch;
        return config.Replicas > 1 ? ApiErrors.StreamReplicasNotSupported : null;
    }

    // For sourcing by another server: kept like a durable consumer where acknowledgements remove messages, else an ephemeral one.
    private static ConsumerConfig ForSourcing(ConsumerConfig config, MessageStream stream)
    {
        if (!config.Direct || !config.Sourcing || string.IsNullOrEmpty(config.Name)) return config;
        return stream.RetainsByInterest
            ? config with { Direct = false, Durable = config.Name, AckPolicy = AckPolicy.FlowControl, AckWait = default, MaxDeliver = 0, InactiveThreshold = default }
            : config with { Name = $"{config.Name}-{stream.Services.NextId()}" };
    }

    // A durable consumer for sourcing continues after what it has acknowledged, wherever its owner asks it to start.
    private static ConsumerConfig WithKept(ConsumerConfig config, ConsumerConfig existing)
    {
        config = config with { PauseUntil = existing.PauseUntil };
        return config.Sourcing && config.IsDurable
            ? config with { DeliverPolicy = existing.DeliverPolicy, StartSequence = existing.StartSequence, StartTime = existing.StartTime }
            : config;
    }

    private static int RequiredLevel(ConsumerConfig config)
    {
        const int pauses = 1;
        const int flowControlAcks = 4;
        if (config.AckPolicy == AckPolicy.FlowControl) return flowControlAcks;
        return config.PauseUntil is { IsNone: false } || config.PriorityPolicy != PriorityPolicy.None || config.PinnedTimeout != default || config.PriorityGroups is { Length: > 0 }
            ? pauses
            : 0;
    }

    private static void Names(scoped in ApiRequest request)
    {
        if (!TryPage(in request, out var all, out var offset, new ConsumerNamesReply(), ConsumerJson.Default.ConsumerNamesReply)) return;
        var reply = new ConsumerNamesReply
        {
            Total = all.Length,
            Offset = offset,
            Limit = NamesLimit,
            Consumers = [.. all.Skip(offset).Take(NamesLimit).Select(static consumer => consumer.Name)],
        };
        request.Reply(reply, ConsumerJson.Default.ConsumerNamesReply);
    }

    private static void List(scoped in ApiRequest request)
    {
        if (!TryPage(in request, out var all, out var offset, new ConsumerListReply(), ConsumerJson.Default.ConsumerListReply)) return;
        var infos = new List<ConsumerInfo>();
        foreach (var consumer in all.Skip(offset).Take(ListLimit))
        {
            using (consumer.Stream.Gate.Hold())
            {
                if (!consumer.IsClosed) infos.Add(ConsumerInfoMapper.Map(consumer));
            }
        }
        var reply = new ConsumerListReply { Total = all.Length, Offset = offset, Limit = ListLimit, Consumers = [.. infos] };
        request.Reply(reply, ConsumerJson.Default.ConsumerListReply);
    }

    private static bool TryPage<T>(scoped in ApiRequest request, out Consumer[] all, out int offset, T empty, JsonTypeInfo<T> type)
        where T : PagedReply
    {
        (all, offset) = ([], 0);
        if (!request.TryReadIfJson(Json(in request).ConsumerPageRequest, out var page, empty, type)) return false;
        if (!request.Account.TryGetStream(request.Token(SubjectToken), out var stream))
        {
            request.Fail(ApiErrors.StreamNotFound, empty, type);
            return false;
        }
        all = ConsumerRegistry.List(stream);
        offset = (int)Math.Clamp(page.Offset, 0, all.Length);
        return true;
    }

    private static void Info(scoped in ApiRequest request)
    {
        if (!IsEmpty(in request) || !TryFind(in request, out var consumer)) return;
        ConsumerInfo? info = null;
        using (consumer.Stream.Gate.Hold())
        {
            if (!consumer.IsClosed) info = ConsumerInfoMapper.Map(consumer);
        }
        if (info is null) request.Fail(ApiErrors.ConsumerNotFound);
        else request.Reply(ConsumerInfoMapper.ToReply(info, request.Account.Engine), ConsumerJson.Default.ConsumerInfoReply);
    }

    private static void Delete(ConsumerRegistry engine, scoped in ApiRequest request)
    {
        if (!IsEmpty(in request) || !TryFind(in request, out var consumer)) return;
        if (engine.Delete(consumer, request.Batch)) request.Reply(new SuccessReply { Success = true }, StreamJson.Default.SuccessReply);
        else request.Fail(ApiErrors.ConsumerNotFound);
    }

    private static void Pause(ConsumerRegistry engine, scoped in ApiRequest request)
    {
        if (!request.TryReadIfJson(Json(in request).ConsumerPauseRequest, out var pause, new ConsumerPauseReply(), ConsumerJson.Default.ConsumerPauseReply)) return;
        if (Find(in request, out var found) is { } missing)
        {
            request.Fail(missing, new ConsumerPauseReply(), ConsumerJson.Default.ConsumerPauseReply);
            return;
        }
        var consumer = found!;
        var until = pause.PauseUntil.IsNone ? (Moment?)null : pause.PauseUntil.ToUtc();
        var config = consumer.Config with { PauseUntil = until };
        config = config with { Metadata = ApiLevel.ToKeep(config.Metadata, RequiredLevel(config)) };
        if (engine.Update(consumer, config, request.Batch) is { } error)
        {
            request.Fail(error, new ConsumerPauseReply(), ConsumerJson.Default.ConsumerPauseReply);
            return;
        }
        var remaining = ConsumerInfoMapper.Remaining(pause.PauseUntil, request.Account.Services.Time.GetUtcNow());
        var reply = new ConsumerPauseReply
        {
            Paused = remaining.Count > 0,
            PauseUntil = pause.PauseUntil.ToUtc(),
            PauseRemaining = remaining,
        };
        request.Reply(reply, ConsumerJson.Default.ConsumerPauseReply);
        consumer.Run(request.Batch);
    }

    private static void Unpin(scoped in ApiRequest request)
    {
        if (!request.TryRead(Json(in request).ConsumerUnpinRequest, out var unpin)) return;
        if (unpin.Group.Length == 0)
        {
            request.Fail(ApiErrors.InvalidJSON.With("err", "consumer group not specified"));
            return;
        }
        if (!ConsumerConfigValidator.IsGroupName(unpin.Group))
        {
            request.Fail(ApiErrors.ConsumerInvalidGroupName);
            return;
        }
        if (!TryFind(in request, out var consumer)) return;
        if (consumer.Config.PriorityGroups?.Contains(unpin.Group) != true)
        {
            request.Fail(ApiErrors.ConsumerInvalidPriorityGroup);
            return;
        }
        using (consumer.Stream.Gate.Hold()) consumer.Pulls!.Unpin(unpin.Group, "admin");
        consumer.Run(request.Batch);
        request.Reply(new ApiReply(), StreamJson.Default.ApiReply);
    }

    // nats-server has a subscription for each consumer, and so does not respond for one that does not exist.
    private static void Reset(scoped in ApiRequest request)
    {
        if (request.ReplyTo.IsEmpty || Find(in request, out var found) is not null) return;
        var consumer = found!;
        if (!request.TryRead(Json(in request).ConsumerResetRequest, out var reset, new ConsumerInfoReply { ResetSequence = 0 }, ConsumerJson.Default.ConsumerInfoReply)) return;
        var sequence = reset.Sequence;
        ConsumerInfo info;
        using (consumer.Stream.Gate.Hold())
        {
            if (consumer.IsClosed) return;
            if (ConsumerUpdater.Reset(consumer, ref sequence) is { } refused)
            {
                request.Fail(ApiErrors.ConsumerInvalidReset.With("err", refused));
                return;
            }
            info = ConsumerInfoMapper.Map(consumer);
        }
        var identity = StreamIdentity.IsIn(request.Headers) ? StreamIdentity.Of(consumer.Stream) : "";
        request.Reply(ConsumerInfoMapper.ToReply(info, request.Account.Engine, sequence), ConsumerJson.Default.ConsumerInfoReply, StreamIdentity.Header(identity));
        consumer.Run(request.Batch);
    }

    private static bool TryFind(scoped in ApiRequest request, out Consumer consumer)
    {
        var problem = Find(in request, out var found);
        consumer = found!;
        if (problem is not null) request.Fail(problem);
        return problem is null;
    }

    private static ApiError? Find(scoped in ApiRequest request, out Consumer? consumer)
    {
        consumer = null;
        if (!request.Account.TryGetStream(request.Token(SubjectToken), out var stream)) return ApiErrors.StreamNotFound;
        consumer = ConsumerRegistry.Find(stream, request.Token(SubjectToken + 1));
        return consumer is null ? ApiErrors.ConsumerNotFound : null;
    }

    private static bool IsEmpty(scoped in ApiRequest request)
    {
        var payload = request.Payload.Trim(" \t\r\n"u8);
        if (payload.IsEmpty || (payload[0] == '{' && payload[^1] == '}' && payload[1..^1].Trim(" \t\r\n"u8).IsEmpty)) return true;
        request.Fail(ApiErrors.NotEmptyRequest);
        return false;
    }

    private static ConsumerJson Json(scoped in ApiRequest request)
        => request.Account.Services.Options.Strict ? ConsumerJson.Default : ConsumerJson.Lenient;
}
