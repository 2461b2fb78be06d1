namespace Postrider.Compat.MediatR;

/// <summary>What requests with and without a response have in common, for constraints.</summary>
public interface IBaseRequest;
