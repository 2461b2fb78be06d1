using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Middleware;

/// <summary>Rejects messages that are not valid according to DataAnnotations or an <see cref="IValidator{TMessage}"/>, before the
/// handler runs.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="validators">All validators of the message's type.</param>
/// <param name="options">Null for the defaults.</param>
[Middleware(Lifetime = HandlerLifetime.Scoped)]
public sealed class ValidationMiddleware<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TRequest, TResponse>(
    IEnumerable<IValidator<TRequest>> validators, ValidationOptions? options = null) : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    /// <inheritdoc/>
    /// <exception cref="InvalidMessageException">The message is not valid.</exception>
    public ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        List<ValidationError>? errors = null;
        if (options is null or { DataAnnotations: true })
            Annotated(request, ref errors);
        foreach (var validator in validators)
        {
            foreach (var error in validator.Validate(request))
                (errors ??= []).Add(error);
        }

        return errors is null
            ? next.Invoke(request, ct)
            : ValueTask.FromException<TResponse>(new InvalidMessageException(typeof(TRequest), errors));
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The public properties of the exact type are kept by the annotation of TRequest; nothing else is read.")]
    private static void Annotated(TRequest request, ref List<ValidationError>? errors)
    {
        var results = new List<ValidationResult>();
        var context = new ValidationContext(request, typeof(TRequest).Name, serviceProvider: null, items: null);
        if (Validator.TryValidateObject(request, context, results, validateAllProperties: true))
            return;

        foreach (var result in results)
            (errors ??= []).Add(new(string.Join(", ", result.MemberNames), result.ErrorMessage ?? "is not valid."));
    }
}
