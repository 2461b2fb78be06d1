namespace Postrider.Compat.MediatR;

/// <summary>Base of requests with and without a response, for constraints.</summary>
public interface IBaseRequest;
