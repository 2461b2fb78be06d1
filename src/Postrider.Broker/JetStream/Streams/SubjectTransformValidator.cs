using System.Diagnostics.CodeAnalysis;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks a stream's subject transform and republishing.</summary>
internal static class SubjectTransformValidator
{
    /// <summary>The first problem, or null.</summary>
    public static ApiError? Validate(ref StreamConfig config)
    {
        if (config.SubjectTransform is { } transform)
        {
            if (transform.Source.Length > 0 && !Subject.IsValid(Encoding.UTF8.GetBytes(transform.Source)))
                return ApiErrors.StreamTransformInvalidSource.With("err", $"invalid subject {transform.Source}");
            if (!IsMapping(transform, out var problem)) return ApiErrors.StreamTransformInvalidDestination.With("err", problem);
        }
        return config.Republish is null ? null : CheckRepublish(ref config);
    }

    /// <summary>Whether a transform is valid.</summary>
    public static bool IsMapping(SubjectTransformConfig transform, [NotNullWhen(false)] out string? problem)
    {
        problem = null;
        return transform.Destination.Length == 0 || SubjectTransform.TryCreate(transform.Source, transform.Destination, out _, out problem);
    }

    private static ApiError? CheckRepublish(ref StreamConfig config)
    {
        var republish = config.Republish!;
        if (string.IsNullOrEmpty(republish.Source))
        {
            if (config.Pedantic) return ApiErrors.Pedantic.With("err", "republish source can not be empty");
            republish = republish with { Source = ">" };
        }
        if (republish is { Source: ">", Destination: ">" } && config.SubjectTransform is { } transform
            && config.SubjectList.Count == 1 && transform.Source == config.SubjectList[0])
        {
            if (config.Pedantic) return ApiErrors.Pedantic.With("err", "implicit republish based on subject transform");
            republish = republish with { Source = transform.Destination, Destination = transform.Destination };
        }
        var destination = Encoding.UTF8.GetBytes(republish.Destination);
        if (config.SubjectList.Any(subject => Subject.Collide(destination, Encoding.UTF8.GetBytes(subject))))
            return StreamConfigValidator.Invalid("stream configuration for republish destination forms a cycle");
        if (!SubjectTransform.TryCreate(republish.Source!, republish.Destination, out _, out _))
            return StreamConfigValidator.Invalid($"stream configuration for republish with transform from '{republish.Source}' to '{republish.Destination}' not valid");
        config = config with { Republish = republish };
        return null;
    }
}
