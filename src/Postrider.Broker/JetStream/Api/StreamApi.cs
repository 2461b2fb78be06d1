using System.Text;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Storage.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The operations on streams as a whole.</summary>
internal static class StreamApi
{
    private const int NamesPerPage = 1024;
    private const int InfosPerPage = 256;
    private const int SubjectsPerPage = 100_000;

    // Of a stream whose description is made and written in some 50 microseconds.
    private const int MaxQuickItems = 64;
    private const int MaxQuickConsumers = 1000;

    /// <summary>Adds the operations.</summary>
    public static void Register(ApiRouter api)
    {
        const string Prefix = "io.nats.jetstream.api.v1.";
        api.MapInline("INFO", Prefix + "account_info_response", AccountInfo);
        api.MapCommand("STREAM.CREATE.*", Prefix + "stream_create_response", Create);
        api.MapCommand("STREAM.UPDATE.*", Prefix + "stream_update_response", Update);
        api.MapQuery("STREAM.NAMES", Prefix + "stream_names_response", Names);
        api.MapQuery("STREAM.LIST", Prefix + "stream_list_response", Infos);
        api.MapQuery("STREAM.INFO.*", Prefix + "stream_info_response", Info, (subject, payload) => api.Streams is { } streams && IsQuickInfo(streams, subject, payload));
        api.MapCommand("STREAM.DELETE.*", Prefix + "stream_delete_response", Delete);
        api.MapInline("STREAM.LEADER.STEPDOWN.*", Prefix + "stream_leader_stepdown_response", RequireCluster);
        api.MapInline("STREAM.PEER.REMOVE.*", Prefix + "stream_remove_peer_response", RequireCluster);
        api.MapInline("STREAM.PEER.EVACUATE.*", Prefix + "stream_evacuate_peer_response", RequireCluster);
        api.MapInline("STREAM.CANCEL_MOVE.*", Prefix + "stream_cancel_move_response", RequireCluster);
    }

    private static void RequireCluster(scoped in ApiRequest request) => request.Fail(ApiErrors.ClusterRequired);

    private static void AccountInfo(scoped in ApiRequest request)
    {
        var account = request.Account;
        // All streams have one replica, so a single tier contains all of them.
        var used = new AccountTier
        {
            Memory = account.Services.Storage.MemoryBytes,
            Storage = account.Services.Storage.StoreBytes,
            ReservedMemory = account.ReservedBytes(StreamStorage.Memory),
            ReservedStorage = account.ReservedBytes(StreamStorage.File),
            Streams = account.Streams.Count,
            Consumers = account.FollowerCount,
            Limits = account.Limits,
        };
        var tier = account.Limits.Tier;
        request.Reply(
            new AccountInfoReply
            {
                Memory = used.Memory,
                Storage = used.Storage,
                ReservedMemory = used.ReservedMemory,
                ReservedStorage = used.ReservedStorage,
                Streams = used.Streams,
                Consumers = used.Consumers,
                Limits = tier is null ? used.Limits : AccountLimits.BesideTiers,
                Domain = account.Engine.Options.Domain,
                Api = new ApiStats { Total = account.ApiTotal, Errors = account.ApiErrorTotal },
                Tiers = tier is null ? null : new Dictionary<string, AccountTier>(StringComparer.Ordinal) { [tier] = used },
            },
            StreamJson.Default.AccountInfoReply);
    }

    private static void Create(scoped in ApiRequest request)
    {
        if (!request.TryRead(StreamConfigJson.Reader(request.Account.Services.Options).StreamConfig, out var config)) return;
        var name = request.Token(2);
        if (name != config.Name)
        {
            request.Fail(ApiErrors.StreamMismatch);
            return;
        }
        if (name.AsSpan().IndexOfAny('\\', '/') >= 0)
        {
            request.Fail(ApiErrors.StreamNameContainsPathSeparators);
            return;
        }
        if (StreamLifecycle.TryCreate(request.Account, config, request.Batch, out var stream, out var created) is { } problem)
        {
            request.Fail(problem);
            return;
        }
        request.Reply(new StreamInfoReply(StreamInfoMapper.Read(stream!)) { DidCreate = created }, StreamJson.Default.StreamInfoReply);
    }

    private static void Update(scoped in ApiRequest request)
    {
        if (!request.TryRead(StreamConfigJson.Reader(request.Account.Services.Options).StreamConfig, out var config)) return;
        if (StreamLifecycle.TryUpdate(request.Account, request.Token(2), config, request.Batch, out var stream) is { } problem)
        {
            request.Fail(problem);
            return;
        }
        request.Reply(new StreamInfoReply(StreamInfoMapper.Read(stream!)), StreamJson.Default.StreamInfoReply);
    }

    private static void Delete(scoped in ApiRequest request)
    {
        if (!request.IsEmpty)
        {
            request.Fail(ApiErrors.NotEmptyRequest);
            return;
        }
        if (!request.TryFindStream(2, out var stream)) return;
        StreamLifecycle.Delete(stream, request.Batch);
        request.Reply(new SuccessReply { Success = true }, StreamJson.Default.SuccessReply);
    }

    private static void Names(scoped in ApiRequest request)
    {
        if (!TryListMatching(in request, out var offset, out var streams, new StreamNamesReply(), StreamJson.Default.StreamNamesReply)) return;
        var page = streams.Skip(offset).Take(NamesPerPage).Select(static stream => stream.Name).ToArray();
        request.Reply(
            new StreamNamesReply { Total = streams.Count, Offset = offset, Limit = NamesPerPage, Streams = page.Length == 0 ? null : page },
            StreamJson.Default.StreamNamesReply);
    }

    private static void Infos(scoped in ApiRequest request)
    {
        if (!TryListMatching(in request, out var offset, out var streams, new StreamListReply(), StreamJson.Default.StreamListReply)) return;
        var page = streams.Skip(offset).Take(InfosPerPage).Select(static stream => StreamInfoMapper.Read(stream, asStored: true)).ToArray();
        request.Reply(new StreamListReply { Total = streams.Count, Offset = offset, Limit = InfosPerPage, Streams = page }, StreamJson.Default.StreamListReply);
    }

    private static bool TryListMatching<T>(
        scoped in ApiRequest request, out int offset, out List<MessageStream> streams, T empty, JsonTypeInfo<T> type)
        where T : PagedReply
    {
        offset = 0;
        streams = [];
        if (!request.TryReadIfJson(StreamConfigJson.Reader(request.Account.Services.Options).StreamNamesRequest, out var asked, empty, type)) return false;
        var filter = asked.Subject ?? "";
        var pattern = Encoding.UTF8.GetBytes(filter);
        streams = [.. request.Account.Streams
            .Where(stream => filter.Length == 0 || stream.Config.SubjectList.Any(subject => Subject.Collide(Encoding.UTF8.GetBytes(subject), pattern)))
            .OrderBy(static stream => stream.Name, StringComparer.Ordinal)];
        offset = (int)Math.Clamp(asked.Offset, 0, streams.Count);
        return true;
    }

    // Clients ask for the state of a usual stream again and again. Its lock is taken like that of a publish, unless threads with priority wait for it.
    private static bool IsQuickInfo(JetStreamAccount streams, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload)
    {
        if (!payload.IsEmpty && !payload.SequenceEqual("{}"u8)) return false;
        var name = Encoding.UTF8.GetString(subject[(subject.LastIndexOf((byte)'.') + 1)..]);
        if (!streams.TryGetStream(name, out var stream)) return true;
        var config = stream.Config;
        return stream is { PriorityWaiters: 0, Consumers.Length: <= MaxQuickConsumers }
            && config.SubjectList.Count + config.SourceList.Count + (config.Metadata?.Count ?? 0) <= MaxQuickItems;
    }

    private static void Info(scoped in ApiRequest request)
    {
        var nothing = new StreamInfoReply { Total = 0, Offset = 0, Limit = 0 };
        if (!request.TryReadIfJson(StreamConfigJson.Reader(request.Account.Services.Options).StreamInfoRequest, out var asked, nothing, StreamJson.Default.StreamInfoReply)) return;
        if (!request.Account.TryGetStream(request.Token(2), out var stream))
        {
            request.Fail(ApiErrors.StreamNotFound, nothing, StreamJson.Default.StreamInfoReply);
            return;
        }
        var info = StreamInfoMapper.Read(stream, asked.DeletedDetails);
        var (total, offset, limit) = (0, 0L, 0);
        using var subjects = string.IsNullOrEmpty(asked.SubjectsFilter) ? null : StreamInfoMapper.ReadSubjects(stream, new SubjectFilter(asked.SubjectsFilter));
        if (subjects is { IsIncomplete: true })
        {
            request.Fail(ApiErrors.InsufficientResources, nothing, StreamJson.Default.StreamInfoReply);
            return;
        }
        if (subjects is { Count: > 0 })
        {
            (total, offset, limit) = (subjects.Count, Math.Max(asked.Offset, 0L), SubjectsPerPage);
            var first = (int)Math.Min(offset, total);
            var page = new SubjectPage(subjects, first, Math.Min(total - first, SubjectsPerPage));
            info = info with { State = info.State with { Subjects = page.Count == 0 ? null : page } };
        }
        request.Reply(
            new StreamInfoReply(info) { Cluster = new ClusterInfo { Leader = request.Account.Services.ServerName }, Total = total, Offset = offset, Limit = limit }, StreamJson.Default.StreamInfoReply);
    }
}
